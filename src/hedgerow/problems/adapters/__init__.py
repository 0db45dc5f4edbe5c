"""From the models of other packages to rows and columns: one file per package, none of them imported before its use."""

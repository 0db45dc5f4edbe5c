"""MIP models that know problems, trees and scenarios; the solver itself stays behind `hedgerow.mip`."""

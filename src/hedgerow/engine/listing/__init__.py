"""All structures of depth 1 and 2 below a cut-off, root by root: for lists of good trees and for trees with wishes."""

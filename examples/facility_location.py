"""Which sites to open, and which of them serves whom: depots, mobile clinics, ambulance posts."""

import numpy as np
import scipy.sparse as sp

from hedgerow.errors import InputError
from hedgerow.problem import FeasibleSet, RowBlock
from hedgerow.problems import LinearProblem


class FacilityLocation(LinearProblem):
    """Open sites and let each customer be served by one of them; the items are the customers, the samples demands.

    A solution costs what its sites cost to open and, for each customer, demand times the unit cost from its site
    (a matrix, a row per customer). `capacities` say how many customers each site can serve.
    """

    kind = "facility_location"

    def __init__(self, unit_costs, opening_costs, *, capacities=None, customers=None, sites=None, **units):
        self.unit_costs, self.opening_costs = np.array(unit_costs, dtype=float), np.array(opening_costs, dtype=float)
        n_customers, n_sites = self.unit_costs.shape
        self.customers = tuple(customers or (f"c{number}" for number in range(1, n_customers + 1)))
        self.sites = tuple(sites or (f"s{number}" for number in range(1, n_sites + 1)))
        self.capacities = None if capacities is None else np.broadcast_to(capacities, n_sites)
        super().__init__(self.customers, **units)

    @property
    def variable_names(self):
        served = (f"{customer} from {site}" for customer in self.customers for site in self.sites)
        return (*served, *(f"open {site}" for site in self.sites))

    def check_samples(self, samples):
        super().check_samples(samples)
        if (samples < 0.0).any():
            raise InputError(f"demands must be zero or more; got {samples.min():g}.")

    def _variable_costs(self, samples):
        served = (samples[:, :, np.newaxis] * self.unit_costs).reshape(len(samples), -1)
        return np.hstack([served, np.tile(self.opening_costs, (len(samples), 1))])

    def feasible_set(self):
        n_customers, n_sites = self.unit_costs.shape
        each = sp.kron(sp.eye_array(n_customers), np.ones((1, n_sites)))
        opened = -sp.kron(np.ones((n_customers, 1)), sp.eye_array(n_sites))
        pairs = [f"'{customer}' from '{site}'" for customer in self.customers for site in self.sites]
        rows = [
            RowBlock([f"the number of sites for '{customer}'" for customer in self.customers], [each, None], 1.0, 1.0),
            RowBlock([f"{pair}, which is closed," for pair in pairs], [sp.eye_array(len(pairs)), opened], -np.inf, 0.0),
        ]
        if self.capacities is not None:
            by_site = sp.kron(np.ones((1, n_customers)), sp.eye_array(n_sites))
            names = [f"the number of customers of '{site}'" for site in self.sites]
            rows.append(RowBlock(names, [by_site, None], 0.0, self.capacities))
        return FeasibleSet.of(*rows)

    def all_solutions(self, limit):
        """Return, for every set of sites, the solution with each customer at its nearest: no other is ever cheaper."""
        n_sites = len(self.sites)
        if self.capacities is not None or 2**n_sites - 1 > limit:
            return None
        subsets = np.array([[number >> site & 1 for site in range(n_sites)] for number in range(1, 2**n_sites)])
        nearest = np.argmin(np.where(subsets[:, np.newaxis] == 1, self.unit_costs, np.inf), axis=2)
        served = np.eye(n_sites)[nearest]
        return np.unique(np.hstack([served.reshape(len(subsets), -1), served.max(axis=1)]), axis=0)

    def describe(self, solution):
        if self.infeasibility(solution) is not None:
            return super().describe(solution)
        served, is_open = np.split(np.rint(solution), [self.unit_costs.size])
        parts = []
        for site in np.flatnonzero(is_open):
            customers = np.flatnonzero(served.reshape(self.unit_costs.shape)[:, site])
            parts.append(f"{self.sites[site]} serves {', '.join(self.customers[c] for c in customers) or 'no one'}")
        return "; ".join(parts)

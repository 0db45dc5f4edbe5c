"""Which sites to open, and which of them serves whom."""

__all__ = ["FacilityLocation"]

from collections.abc import Iterable, Mapping
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import finite_matrix, finite_vector, integer_between, unique_names
from hedgerow.errors import InfeasibleProblemError, InputError
from hedgerow.problem import FeasibleSet
from hedgerow.problems import _reading as reading
from hedgerow.problems._mip_oracle import SolvedByMip
from hedgerow.problems._named import AllOrNothing, Units, numbered

_MAX_LISTED_SITES: Final = 20
"""No more than this many sites are tried in all combinations."""


class FacilityLocation(AllOrNothing, SolvedByMip):
    """Open sites and let each customer be served by one of them.

    For deciding each day which places to staff: depots and cross-docks, mobile clinics, ambulance
    posts, polling stations. The items are the customers, and the samples hold their demands, zero or more. What it
    takes to open a site and to serve one unit of demand is known; a solution costs what its sites take to open and,
    for each customer, demand times the unit cost from its site.

    There is no quick oracle: every question is a MIP. Without capacities the solutions worth considering are few if
    the sites are, since each customer then goes to the open site nearest to it; these can be listed.

    Parameters
    ----------
    unit_costs
        What one unit of demand costs, a row per customer and a column per site; zero or more. A DataFrame's index and
        columns name them.
    opening_costs
        What it costs to open each site, zero or more.
    capacities
        How many customers each site can serve at most: one number for all, or one each; no limit if None.
    customers, sites
        Names; c1, c2, … and s1, s2, … by default.
    unit, reading_unit
        Unit of the costs, and that of the readings where it is another one.

    Raises
    ------
    InfeasibleProblemError
        If all sites together can't serve all customers.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import FacilityLocation
    >>> problem = FacilityLocation(
    ...     [[1.0, 4.0], [2.0, 3.0], [5.0, 1.0]],
    ...     [10.0, 12.0],
    ...     customers=["Hull", "Leeds", "York"],
    ...     sites=["north", "south"],
    ... )
    >>> best = problem.best_solution(np.array([[4.0, 4.0, 5.0]]))
    >>> problem.describe(best.solution), best.value
    ('north serves Hull, Leeds; south serves York', 39.0)
    """

    _used, _thing = "set", "a decision"

    def __init__(
        self,
        unit_costs: Any,
        opening_costs: Any,
        *,
        capacities: Any = None,
        customers: Iterable[Any] | None = None,
        sites: Iterable[Any] | None = None,
        **units: Unpack[Units],
    ) -> None:
        self._unit_costs = frozen(finite_matrix(unit_costs, "unit_costs") + 0.0)
        n_customers, n_sites = self._unit_costs.shape
        has_names = hasattr(unit_costs, "columns")
        rows = unit_costs.index if has_names else numbered(n_customers, "c")
        columns = unit_costs.columns if has_names else numbered(n_sites, "s")
        names = unique_names(rows if customers is None else customers, "customers", length=n_customers)
        super().__init__(names, **units)
        self.sites: Final = unique_names(columns if sites is None else sites, "sites", length=n_sites)
        opening = finite_vector(opening_costs, "opening_costs", length=n_sites, per="sites")
        self._opening_costs = frozen(opening + 0.0)
        for what, costs in (("unit_costs", self._unit_costs), ("opening_costs", self._opening_costs)):
            if (costs < 0.0).any():
                raise InputError(f"{what} must be zero or more; got {costs.min():g}.")
        self._capacities = None if capacities is None else _whole_capacities(capacities, n_sites)
        if self._capacities is not None and self._capacities.sum() < n_customers:
            raise InfeasibleProblemError(
                f"the sites can serve {self._capacities.sum()} customers in all, but there are {n_customers}. "
                "Raise the capacities, or add a site."
            )
        served = (f"{customer} from {site}" for customer in self.item_names for site in self.sites)
        self._variable_names = unique_names([*served, *(f"open {site}" for site in self.sites)], "variables")

    @property
    def customers(self) -> tuple[str, ...]:
        """Names of the customers."""
        return self.item_names

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries: who is served from where, customer by customer, then which sites open."""
        return self._variable_names

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if the samples are not a finite matrix of demands, zero or more, a column per customer."""
        super().check_samples(samples)
        if (samples < 0.0).any():
            row, customer = (int(index) for index in np.argwhere(samples < 0.0)[0])
            raise InputError(
                f"demands must be zero or more; got {samples[row, customer]:g} for '{self.item_names[customer]}' "
                f"in row {row}."
            )

    def _variable_costs(self, samples: FloatArray) -> FloatArray:
        served = (samples[:, :, np.newaxis] * self._unit_costs).reshape(len(samples), -1)
        opened = np.broadcast_to(self._opening_costs, (len(samples), len(self.sites)))
        return np.concatenate([served, opened], axis=1)

    def _start(self, costs: FloatArray) -> FloatArray:
        """Return the solution that is best if opening were free."""
        served_costs = costs[: self._unit_costs.size].reshape(self._unit_costs.shape)
        if self._capacities is None:
            site_of = np.argmin(served_costs, axis=1)
        else:
            from scipy.optimize import linear_sum_assignment

            # A site is as many places as it can serve customers.
            place = np.repeat(np.arange(len(self.sites)), np.minimum(self._capacities, self.n_items))
            site_of = place[linear_sum_assignment(served_costs[:, place])[1]]
        start: FloatArray = self._served(site_of[np.newaxis])[0]
        return start

    def _served(self, site_of: IntArray) -> FloatArray:
        """Return solutions from the site of each customer (one row per solution); sites in use are open."""
        n_customers, n_sites = self._unit_costs.shape
        served = np.zeros((len(site_of), n_customers, n_sites))
        np.put_along_axis(served, site_of[:, :, np.newaxis], 1.0, axis=2)
        return np.concatenate([served.reshape(len(site_of), -1), served.max(axis=1)], axis=1)

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, bounds on the cost: each customer at its cheapest and at its most expensive site."""
        costs = samples[:, :, np.newaxis] * self._unit_costs
        cheapest_site, all_sites = self._opening_costs.min(), self._opening_costs.sum()
        return costs.min(axis=2).sum(axis=1) + cheapest_site, costs.max(axis=2).sum(axis=1) + all_sites

    def _fault(self, chosen: FloatArray) -> str | None:
        served, is_open = self._parts(chosen)
        n_served_from = served.sum(axis=1)
        if (n_served_from != 1.0).any():
            customer = int(np.argmax(n_served_from != 1.0))
            sites = int(n_served_from[customer])
            return f"'{self.item_names[customer]}' is served from {sites} sites; it must be one"
        closed = served.any(axis=0) & (is_open == 0.0)
        if closed.any():
            return f"'{self.sites[int(np.argmax(closed))]}' serves customers but is not open"
        if self._capacities is not None and (served.sum(axis=0) > self._capacities).any():
            site = int(np.argmax(served.sum(axis=0) - self._capacities))
            count = int(served.sum(axis=0)[site])
            return f"'{self.sites[site]}' serves {count} customers; it can serve {self._capacities[site]}"
        return None

    def _parts(self, chosen: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return who is served from where, a row per customer, and which sites are open."""
        return chosen[: self._unit_costs.size].reshape(self._unit_costs.shape), chosen[self._unit_costs.size :]

    def feasible_set(self) -> FeasibleSet:
        """Return X: each customer from one site, and none from a site that is not open or has no room."""
        n_customers, n_sites = self._unit_costs.shape
        each = sp.kron(sp.eye_array(n_customers), np.ones((1, n_sites)))
        opened = -sp.kron(np.ones((n_customers, 1)), sp.eye_array(n_sites))
        rows: list[Any] = [([each, None], 1.0, 1.0), ([sp.eye_array(self._unit_costs.size), opened], -np.inf, 0.0)]
        if self._capacities is not None:
            by_site = sp.kron(np.ones((1, n_customers)), sp.eye_array(n_sites))
            rows.append(([by_site, -sp.diags_array(self._capacities.astype(np.float64))], -np.inf, 0.0))
        return FeasibleSet.of(*rows)

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return, for every set of sites, the solution with each customer at its nearest, if there are at most `limit`.

        Whatever the demands, no other solution costs less than one of these. None if there are capacities.
        """
        n_sites = len(self.sites)
        if self._capacities is not None or n_sites > _MAX_LISTED_SITES or 2**n_sites - 1 > limit:
            return None
        subsets = (np.arange(1, 2**n_sites)[:, np.newaxis] >> np.arange(n_sites) & 1).astype(np.bool_)
        costs = np.where(subsets[:, np.newaxis, :], self._unit_costs, np.inf)
        # Sites that are nearest to no customer are closed again, which makes some subsets equal.
        return np.unique(self._served(np.argmin(costs, axis=2)), axis=0)

    def _in_words(self, chosen: FloatArray) -> str:
        served, is_open = self._parts(chosen)
        parts = []
        for site in np.flatnonzero(is_open):
            customers = ", ".join(self.item_names[customer] for customer in np.flatnonzero(served[:, site]))
            parts.append(f"{self.sites[site]} serves {customers or 'nobody'}")
        return "; ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        capacities = {} if self._capacities is None else {"capacities": self._capacities.tolist()}
        return {
            "kind": "facility_location",
            "unit_costs": self._unit_costs.tolist(),
            "opening_costs": self._opening_costs.tolist(),
            **capacities,
            "customers": list(self.item_names),
            "sites": list(self.sites),
            **self._units,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        reading.only_fields(data, "unit_costs", "opening_costs", "capacities", "customers", "sites", "unit")
        unit_costs = reading.matrix(data, "unit_costs")
        n_customers, n_sites = unit_costs.shape
        reading.at_most(n_customers * n_sites, "pairs of a customer and a site")
        return cls(
            unit_costs,
            reading.numbers(data, "opening_costs"),
            capacities=reading.numbers(data, "capacities") if "capacities" in data else None,
            customers=reading.texts_if_any(data, "customers", length=n_customers),
            sites=reading.texts_if_any(data, "sites", length=n_sites),
            **reading.units(data),
        )

    def __repr__(self) -> str:
        capacities = "" if self._capacities is None else ", with capacities"
        size = f"{self.n_items} customers, {len(self.sites)} sites"
        return f"FacilityLocation({size}{capacities}{self._options_in_words()})"


def _whole_capacities(capacities: Any, n_sites: int) -> IntArray:
    if np.ndim(capacities) == 0:
        return frozen(np.full(n_sites, integer_between(capacities, "capacities", 0)))
    numbers = finite_vector(capacities, "capacities", length=n_sites, per="sites")
    if (numbers < 0.0).any() or (numbers != np.floor(numbers)).any():
        raise InputError(f"capacities must be whole numbers of customers, zero or more; got {numbers.tolist()}.")
    return frozen(numbers.astype(np.int64))

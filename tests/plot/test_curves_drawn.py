"""The price of robustness as a figure: the lines are the numbers."""

from hedgerow import GlobalBudget, RobustTree
from hedgerow.datasets import motivating_example
from hedgerow.study import price_of_robustness
from tests.plot.drawn import pixels


def test_the_price_shows_both_costs_and_marks_where_the_tree_changes():
    problem, costs = motivating_example()
    model = RobustTree(problem, uncertainty=GlobalBudget(fraction=0.0), method="exact", random_state=0)
    curve = price_of_robustness(model, costs, [0.0, 0.05, 0.5])
    ax = curve.plot()
    labels = [text.get_text().strip() for text in ax.get_legend().get_texts()]
    assert labels == ["worst case of the first tree", "worst case", "as read"]
    assert ax.lines[1].get_ydata().tolist() == curve.to_frame()["robust"].tolist()
    assert [text.get_text() for text in ax.texts] == [str(n) for n in curve.to_frame()["tree"].unique()]
    pixels(ax)

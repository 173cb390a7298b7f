"""Speed and long runs. Nothing of the product imports this."""

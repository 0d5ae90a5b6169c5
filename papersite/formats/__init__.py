"""How dates are written where a page does not say it: as everywhere else in the site."""

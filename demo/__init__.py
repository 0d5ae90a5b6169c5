"""A small invented world to try the site with: recorded upstreams, papers and answers, no network and no model."""

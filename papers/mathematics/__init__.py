"""Mathematics and other TeX in titles, abstracts and summaries: where it stands, what it means, and as safe HTML."""

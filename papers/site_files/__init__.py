"""Files about the site that programs ask for: the sitemap's content."""

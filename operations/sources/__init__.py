"""Where papers come from: what is asked of Hugging Face and arXiv, and how their answers are read."""

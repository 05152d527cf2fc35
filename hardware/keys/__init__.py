"""Keys and encoder: edges in, presses and detents out. Pure: times go in as values."""

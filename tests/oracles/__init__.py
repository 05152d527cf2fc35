"""Second opinions on the rulebooks, written from the printed rules without looking at the code that is judged."""

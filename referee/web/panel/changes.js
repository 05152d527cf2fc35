// Counters that have changed, with what they were, until something else happens.

export class Changes {
  #n = 0;
  #values = new Map();
  #before = new Map();

  /** Take the counters of question `n`; return what each one that has changed was before, by its id. */
  take(pools, n) {
    const changed = pools.filter(({ id, value }) => this.#values.has(id) && this.#values.get(id) !== value);
    if (changed.length) this.#before = new Map(changed.map(({ id }) => [id, this.#values.get(id)]));
    else if (n !== this.#n) this.#before = new Map();
    this.#values = new Map(pools.map(({ id, value }) => [id, value]));
    this.#n = n;
    return this.#before;
  }
}

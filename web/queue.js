/**
 * Jobs that are done one after the other, and that one press of Stop cancels.
 *
 * @typedef {{ cancelledBy: string }} Turn what was cancelled this job, or nothing: jobs that one Stop cancels share it
 */
export class Queue {
  #last = Promise.resolve();
  /** @type {Turn} */
  #turn = { cancelledBy: "" };

  /** The turn of what is asked for now. */
  get turn() {
    return this.#turn;
  }

  /**
   * Do a job after those before it; one that was cancelled while it waited is called all the same, to say so.
   *
   * @template T
   * @param {(turn: Turn) => T | Promise<T>} job
   * @returns {Promise<T>} what the job returns
   */
  add(job) {
    const turn = this.#turn;
    const done = this.#last.then(() => job(turn));
    this.#last = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  /** Cancel what is under way and what waits; `by` names the button. */
  cancel(by) {
    this.#turn.cancelledBy = by;
    this.#turn = { cancelledBy: "" };
  }
}

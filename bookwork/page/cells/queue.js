/**
 * Jobs that are done one after another, and cancelled together by Stop.
 *
 * @typedef {{ cancelledBy: string }} Turn the button that cancelled this job, or nothing; jobs that are cancelled together share it
 */
export class Queue {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {Turn} */
  #turn = { cancelledBy: "" };

  /** The turn of jobs that are added now. */
  get turn() {
    return this.#turn;
  }

  /**
   * Do a job after those before it; one that was cancelled while it waited is still called, so that it can say so.
   *
   * @template T
   * @param {(turn: Turn) => T | Promise<T>} job
   * @returns {Promise<T>} what the job returns
   */
  add(job) {
    const turn = this.#turn;
    const done = this.#last.then(() => job(turn));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Cancel the current job and those that wait; `by` names the button. */
  cancel(by) {
    this.#turn.cancelledBy = by;
    this.#turn = { cancelledBy: "" };
  }
}

/** A control request that is not possible in the current state. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';

  constructor(
    readonly status: 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

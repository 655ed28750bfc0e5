/** A control request that cannot be carried out in the state things are in. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';

  constructor(
    readonly status: 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

import type { PipeTransform, Type } from '@nestjs/common';
import { invalidBody, InvalidRequest, Problem } from '../../problems/index.js';
import { RequestPipe } from './request-pipe.js';

/** Validates a list, each entry against its DTO, and names a fault by its entry, such as `0.productId`. Nest's ParseArrayPipe names none. */
export class ListPipe<Item extends object> implements PipeTransform<unknown, Item[]> {
  private readonly entries = new RequestPipe();

  constructor(
    private readonly item: Type<Item>,
    private readonly max: number,
  ) {}

  transform(value: unknown): Item[] {
    if (!Array.isArray(value) || value.length > this.max)
      throw invalidBody(`The body must be a JSON list of at most ${this.max} entries.`);
    return value.map((entry: unknown, index) => this.entry(entry, index));
  }

  private entry(value: unknown, index: number): Item {
    try {
      return this.entries.transform(value, { type: 'body', metatype: this.item }) as Item;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const faults = error.extras.errors ?? [];
      throw new InvalidRequest(
        faults.map(({ field, message }) =>
          field === ''
            ? { field: String(index), message: 'must be an object.' }
            : { field: `${index}.${field}`, message },
        ),
      );
    }
  }
}

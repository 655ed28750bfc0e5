import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { invalidBody, InvalidRequest, MAX_FAULTS, type FieldError } from '../../problems/index.js';
import { fieldsOf, unknownFields } from './unknown-fields.js';

/** Deeper than any body of this API, and shallow enough to be walked recursively. */
const MAX_DEPTH = 16;
/** More than any field of this API accepts, of objects and of plain values in a list. */
const MAX_ENTRIES = 1000;
const MAX_PLAIN_ENTRIES = 5000;

/** Names that every object has: class-transformer silently skips some, and class-validator takes the others for known fields. */
const UNSAFE_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

const LENIENT = 'pierhead:lenient';

/** Ignores unknown fields, since clients of other versions may send some. */
export const IgnoresUnknownFields =
  (): ClassDecorator =>
  (dto): void =>
    Reflect.defineMetadata(LENIENT, true, dto);

const RULES: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};

/**
 * Validates every body and query against its DTO, and names each fault. Unknown fields are refused, or ignored where the DTO says so. Only
 * their names are compared, because class-transformer and class-validator take a hundred times as long. Nest's ValidationPipe walks each
 * body three more times, for values that JSON cannot hold.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype: dto }: ArgumentMetadata): unknown {
    // ListPipe validates lists, and a handler that takes one parameter of a query reads it itself.
    if ((type !== 'body' && type !== 'query') || dto === undefined || dto === Array || dto === Object) return value;
    const given = asObject(value === undefined ? {} : value);
    if (Reflect.getMetadata(LENIENT, dto) === true)
      return validated(pickKnownFields(withoutPrototypeKeys(given), dto), dto);
    const unknown = unknownFields(given, dto);
    if (unknown.length >= MAX_FAULTS) throw new InvalidRequest(unknown);
    return validated(withoutPrototypeKeys(given), dto);
  }
}

/** Makes a DTO of what was given. */
function validated(given: object, dto: Type<object>): object {
  const made = plainToInstance(dto, given);
  const faults = validateSync(made, RULES);
  if (faults.length > 0) throw new InvalidRequest(faults.flatMap((fault) => fieldErrors(fault)));
  return made;
}

/** Returns the fields of a body that its DTO declares. */
function pickKnownFields(body: Readonly<Record<string, unknown>>, dto: Type): object {
  const part: Record<string, unknown> = {};
  for (const name of fieldsOf(dto)) if (Object.hasOwn(body, name)) part[name] = body[name];
  return part;
}

/** Returns the faults of a field and of the fields below it. */
export function fieldErrors(error: ValidationError, parent = ''): readonly FieldError[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    field,
    message: rule === 'whitelistValidation' ? 'This field is unknown.' : message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, field))];
}

function asObject(given: unknown): object {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidBody('The body must be a JSON object.');
  return given;
}

/** Refuses a body that class-transformer could not walk safely. */
function withoutPrototypeKeys(given: object): Readonly<Record<string, unknown>> {
  for (const [name, value] of Object.entries(given)) {
    const hazard = UNSAFE_NAMES.has(name) ? unknownField(name) : new Hazards(name).in(value);
    if (hazard !== null) throw new InvalidRequest([hazard]);
  }
  return given as Readonly<Record<string, unknown>>;
}

const tooMany = (field: string, most: number): FieldError => ({ field, message: `has more than ${most} entries.` });

const unknownField = (field: string): FieldError => ({ field, message: 'This field is unknown.' });

/** Finds values that class-transformer must not walk, since its time grows with the square of an object's size. */
class Hazards {
  private entries = 0;

  constructor(private readonly field: string) {}

  /** @returns null when the value is safe */
  in(value: unknown, path: readonly string[] = [this.field]): FieldError | null {
    if (typeof value !== 'object' || value === null) return null;
    // A list of plain values takes time in proportion to its length.
    if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object'))
      return value.length > MAX_PLAIN_ENTRIES ? tooMany(this.field, MAX_PLAIN_ENTRIES) : null;
    if (path.length >= MAX_DEPTH) return { field: this.field, message: 'is nested too deeply.' };
    for (const [name, entry] of Object.entries(value)) {
      this.entries += 1;
      if (this.entries > MAX_ENTRIES) return tooMany(this.field, MAX_ENTRIES);
      const here = [...path, name];
      const found = UNSAFE_NAMES.has(name) ? unknownField(here.join('.')) : this.in(entry, here);
      if (found !== null) return found;
    }
    return null;
  }
}

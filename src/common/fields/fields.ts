import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { countCharacters, quotable } from '../net/pure.js';
import { uuidOrNil } from './ids.js';
import { CLEAN_TEXT, foldEmail, isEmailAddress } from './email.js';

/** Options of every field. `null` clears a `nullable` field. */
interface FieldOptions {
  readonly description: string;
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly example?: unknown;
}

const lengthFault = (min: number, max: number): string => `must be text of ${min} to ${max} characters.`;
const UNCLEAN = 'must be text without NUL characters or broken surrogates.';

function field(options: FieldOptions, schema: object, ...rules: readonly PropertyDecorator[]): PropertyDecorator {
  const { description, nullable = false, example } = options;
  const shown = {
    description,
    nullable,
    ...(example === undefined ? {} : { example }),
    ...schema,
  } as ApiPropertyOptions;
  const presence: PropertyDecorator[] = [];
  if (options.optional === true) presence.push(ValidateIf((_, value) => value !== undefined));
  if (nullable)
    presence.push(ValidateIf((_, value) => value !== null && (value !== undefined || options.optional !== true)));
  // Two ValidateIf on one property must both hold; a nullable optional one needs only the second.
  const conditions = options.optional === true && nullable ? presence.slice(1) : presence;
  return applyDecorators(
    options.optional === true ? ApiPropertyOptional(shown) : ApiProperty(shown),
    ...conditions,
    ...rules,
  );
}

/** Text of `min` (1) to `max` characters, trimmed first. */
export const TextField = (
  options: FieldOptions & { readonly min?: number; readonly max: number; readonly verbatim?: boolean },
): PropertyDecorator => {
  const { min = 1, max } = options;
  return field(
    options,
    { type: String, minLength: min, maxLength: max },
    options.verbatim === true ? () => undefined : Trimmed(),
    Length(min, max, { message: lengthFault(min, max) }),
    Matches(CLEAN_TEXT, { message: UNCLEAN }),
  );
};

/** One line with something visible, without marks that hide text or change its direction; some scripts need the two joiners. */
const VISIBLE = /^(?=.*[\p{L}\p{N}\p{P}\p{S}])(?:[\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+$/u;

/** A name that people read and tell from others: `TextField` of one visible line. */
export const NameField = (options: FieldOptions & { readonly max: number }): PropertyDecorator =>
  applyDecorators(
    TextField(options),
    Matches(VISIBLE, { message: 'must be one line of visible text, without marks that change its direction.' }),
  );

const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** Text that matches a pattern. */
export const PatternField = (
  options: FieldOptions & { readonly pattern: RegExp; readonly message: string },
): PropertyDecorator =>
  field(
    options,
    { type: String, pattern: options.pattern.source },
    Matches(options.pattern, { message: options.message }),
  );

/** A set of texts whose allowed values depend on another part of the request. */
export const TextsField = (options: FieldOptions & { readonly maxEntries: number }): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: options.maxEntries, uniqueItems: true },
    IsArray({ message: 'must be a list.' }),
    ArrayMinSize(1, { message: 'must have at least one entry.' }),
    ArrayMaxSize(options.maxEntries, { message: `must have at most ${options.maxEntries} entries.` }),
    ArrayUnique({ message: 'must name each entry once.' }),
    IsString({ each: true, message: 'must hold only text.' }),
  );

/** A set, perhaps empty, of texts that match a pattern. */
export const PatternsField = (
  options: FieldOptions & { readonly maxEntries: number; readonly pattern: RegExp; readonly message: string },
): PropertyDecorator =>
  field(
    options,
    {
      type: 'array',
      items: { type: 'string', pattern: options.pattern.source },
      maxItems: options.maxEntries,
      uniqueItems: true,
    },
    IsArray({ message: 'must be a list.' }),
    ArrayMaxSize(options.maxEntries, { message: `must have at most ${options.maxEntries} entries.` }),
    ArrayUnique({ message: 'must name each entry once.' }),
    Matches(options.pattern, { each: true, message: options.message }),
  );

/** Texts of up to `max` characters by name, each trimmed first. Of names that are the same when `folded`, one is given. */
export const TextMapField = (
  options: FieldOptions & {
    readonly names: RegExp;
    readonly what: string;
    readonly maxEntries: number;
    readonly max: number;
    readonly folded?: (name: string) => string;
  },
): PropertyDecorator => {
  const { names, what, maxEntries, max, folded = (name) => name } = options;
  const faultOf = (value: unknown): string | null => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object.';
    const entries = Object.entries(value);
    if (entries.length > maxEntries) return `must have at most ${maxEntries} entries.`;
    const [name] = entries.find(([each]) => !names.test(each)) ?? [];
    if (name !== undefined) return `must name ${what}, which ${JSON.stringify(quotable(name, 60))} is not.`;
    const all = entries.map(([each]) => folded(each));
    const twice = entries.find((_, at) => all.indexOf(all[at] ?? '') !== at)?.[0];
    if (twice !== undefined) return `must have one text for ${quotable(twice, 60)}.`;
    const [long] =
      entries.find(([, text]) => typeof text !== 'string' || text === '' || countCharacters(text) > max) ?? [];
    if (long !== undefined) return `must have text of 1 to ${max} characters for ${quotable(long, 200)}.`;
    return entries.every(([, text]) => CLEAN_TEXT.test(String(text))) ? null : UNCLEAN;
  };
  return field(
    options,
    {
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1, maxLength: max },
      maxProperties: maxEntries,
    },
    Transform(({ value }: { value: unknown }) => trimmedTexts(value)),
    ValidateBy({
      name: 'isTextMap',
      validator: {
        validate: (value) => faultOf(value) === null,
        defaultMessage: (given) => faultOf(given?.value) ?? UNCLEAN,
      },
    }),
  );
};

function trimmedTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, text]: [string, unknown]) => [
      name,
      typeof text === 'string' ? text.trim() : text,
    ]),
  );
}

/** An e-mail address, folded to lower case. */
export const EmailField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: String, format: 'email', maxLength: 254 },
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? foldEmail(value) : value)),
    ValidateBy({
      name: 'isEmailAddress',
      validator: { validate: isEmailAddress, defaultMessage: () => 'must be an e-mail address.' },
    }),
  );

/** A set of e-mail addresses, folded to lower case. */
export const EmailsField = (options: FieldOptions & { readonly maxEntries: number }): PropertyDecorator => {
  const { maxEntries } = options;
  const faultOf = (value: unknown): string | null => {
    if (!Array.isArray(value)) return 'must be a list.';
    if (value.length === 0 || value.length > maxEntries) return `must have 1 to ${maxEntries} entries.`;
    const wrong = value.findIndex((each) => !isEmailAddress(each));
    if (wrong >= 0) return `must hold only e-mail addresses: entry ${wrong + 1} is none.`;
    const seen = new Set<unknown>();
    const twice = value.findIndex((each) => seen.size === seen.add(each).size);
    return twice < 0 ? null : `must name each address once: entry ${twice + 1} repeats an earlier one.`;
  };
  return field(
    options,
    {
      type: 'array',
      items: { type: 'string', format: 'email', maxLength: 254 },
      minItems: 1,
      maxItems: maxEntries,
      uniqueItems: true,
    },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((each: unknown) => (typeof each === 'string' ? foldEmail(each) : each)) : value,
    ),
    ValidateBy({
      name: 'isEmails',
      validator: {
        validate: (value) => faultOf(value) === null,
        defaultMessage: (given) => faultOf(given?.value) ?? 'must be a list.',
      },
    }),
  );
};

/** A whole number. */
export const IntField = (options: FieldOptions & { readonly min: number; readonly max: number }): PropertyDecorator => {
  const message = `must be a whole number from ${options.min} to ${options.max}.`;
  return field(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    IsInt({ message }),
    Min(options.min, { message }),
    Max(options.max, { message }),
  );
};

/** A whole number in a query, where every value is text. */
export const IntQuery = (options: FieldOptions & { readonly min: number; readonly max: number }): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
    ),
    IntField(options),
  );

/** `true` or `false`. */
export const BooleanField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: Boolean }, IsBoolean({ message: 'must be true or false.' }));

/** One of a fixed set of texts. */
export const ChoiceField = (options: FieldOptions & { readonly of: readonly string[] }): PropertyDecorator =>
  field(
    options,
    { type: String, enum: [...options.of] },
    IsIn(options.of, { message: `must be one of ${options.of.join(', ')}.` }),
  );

/** A set of texts from a fixed set. */
export const ChoicesField = (options: FieldOptions & { readonly of: readonly string[] }): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', enum: [...options.of] }, uniqueItems: true },
    IsArray({ message: 'must be a list.' }),
    ArrayMinSize(1, { message: 'must have at least one entry.' }),
    ArrayMaxSize(options.of.length, { message: `must have at most ${options.of.length} entries.` }),
    ArrayUnique({ message: 'must name each entry once.' }),
    IsIn(options.of, { each: true, message: `must hold only ${options.of.join(', ')}.` }),
  );

/** A set, perhaps empty, of numbers from a fixed set. */
export const NumbersField = (options: FieldOptions & { readonly of: readonly number[] }): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'integer', enum: [...options.of] }, uniqueItems: true },
    IsArray({ message: 'must be a list.' }),
    ArrayUnique({ message: 'must name each entry once.' }),
    IsIn(options.of, { each: true, message: `must hold only ${options.of.join(', ')}.` }),
  );

/** The id of another resource; text that is not a UUID is read as the id of nothing. */
export const IdField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: String, format: 'uuid' },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && value !== '' ? uuidOrNil(value) : value,
    ),
    Length(1, 64, { message: 'must be an id.' }),
  );

/** A set of ids of other resources; text that is not a UUID is read as the id of nothing. */
export const IdsField = (options: FieldOptions & { readonly maxEntries: number }): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((id: unknown) => (typeof id === 'string' ? uuidOrNil(id) : id)) : value,
    ),
    TextsField(options),
  );

/** A time in ISO 8601 with its offset. */
export const TimeField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: String, format: 'date-time' },
    IsISO8601(
      { strict: true, strictSeparator: true },
      { message: 'must be a time in ISO 8601, such as 2027-01-31T12:00:00Z.' },
    ),
    Matches(/^[12]\d{3}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/, {
      message: 'must be a time before the year 3000 in ISO 8601 with its offset, such as 2027-01-31T12:00:00Z.',
    }),
  );

const OBJECT_TYPE = 'pierhead:object-type';

/** A nested object with its own DTO. */
export const ObjectField = (options: FieldOptions & { readonly type: () => new () => object }): PropertyDecorator =>
  applyDecorators(
    field(
      options,
      { type: options.type },
      IsObject({ message: 'must be an object.' }),
      ValidateNested(),
      Type(options.type),
    ),
    Reflect.metadata(OBJECT_TYPE, options.type),
  );

/** The DTO of an ObjectField; undefined for every other field. */
export const objectTypeOf = (dto: new () => object, name: string): (new () => object) | undefined =>
  (Reflect.getMetadata(OBJECT_TYPE, dto.prototype as object, name) as (() => new () => object) | undefined)?.();

/** An object whose shape depends on another field; the service validates it. */
export const OpenObjectField = (options: FieldOptions & { readonly schema?: object }): PropertyDecorator =>
  field(
    options,
    { type: 'object', additionalProperties: true, ...options.schema },
    IsObject({ message: 'must be an object.' }),
  );

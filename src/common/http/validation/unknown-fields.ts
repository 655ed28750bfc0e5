import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { objectTypeOf } from '../../fields/index.js';
import { MAX_FAULTS, type FieldError } from '../../problems/index.js';

const fieldsByDto = new Map<object, ReadonlySet<string>>();

/** Returns the names of a DTO's fields, inherited ones included. */
export function fieldsOf(dto: Type): ReadonlySet<string> {
  const known = fieldsByDto.get(dto);
  if (known !== undefined) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const fields = new Set(rules.map(({ propertyName }) => propertyName));
  fieldsByDto.set(dto, fields);
  return fields;
}

/** Returns the fields of a body that its DTO does not declare, as many as an answer names. */
export function unknownFields(body: object, dto: Type, parent = ''): readonly FieldError[] {
  const fields = fieldsOf(dto);
  const faults: FieldError[] = [];
  for (const name of Object.keys(body)) {
    const value = (body as Readonly<Record<string, unknown>>)[name];
    const field = parent === '' ? name : `${parent}.${name}`;
    if (!fields.has(name)) faults.push({ field, message: 'This field is unknown.' });
    else {
      const nested = objectTypeOf(dto, name);
      if (nested !== undefined && typeof value === 'object' && value !== null)
        faults.push(...unknownFields(value, nested, field));
    }
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults;
}

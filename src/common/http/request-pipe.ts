import {
  Injectable,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type ValidationError,
} from '@nestjs/common';
import { InvalidRequest, type FieldError } from '../problems/index.js';

/** Validates every body and query against its DTO; unknown fields are refused, each fault is named. */
@Injectable()
export class RequestPipe extends ValidationPipe implements PipeTransform {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
      exceptionFactory: (errors: ValidationError[]) =>
        new InvalidRequest(errors.flatMap((error) => fieldErrors(error))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' || metadata.metatype === undefined) return super.transform(value, metadata);
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body))
      throw new InvalidRequest([{ field: '', message: 'The body must be a JSON object.' }]);
    // `__proto__` as a key of JSON is an own property that class-transformer would copy onto the prototype.
    if (Object.hasOwn(body, '__proto__'))
      throw new InvalidRequest([{ field: '__proto__', message: 'This field is unknown.' }]);
    return super.transform(body, metadata);
  }
}

/** The faults of one field and of the fields below it. */
export function fieldErrors(error: ValidationError, parent = ''): readonly FieldError[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    field,
    message: rule === 'whitelistValidation' ? 'This field is unknown.' : message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, field))];
}

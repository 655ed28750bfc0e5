import { Param, type PipeTransform } from '@nestjs/common';
import { uuidOrNil } from '../../fields/index.js';

const readId: PipeTransform<unknown, string> = { transform: (value) => uuidOrNil(value) };

/** Injects an id of the path. Text that is not a UUID is read as the id of nothing, and so is not found. */
export const IdParam = (name = 'id'): ParameterDecorator => Param(name, readId);

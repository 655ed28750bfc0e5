import { Param, type PipeTransform } from '@nestjs/common';
import { idOrAbsent } from '../fields/index.js';

const readId: PipeTransform<unknown, string> = { transform: (value) => idOrAbsent(value) };

/** An id of the path; what is no UUID is read as the id of nothing, and so not found. */
export const IdParam = (name = 'id'): ParameterDecorator => Param(name, readId);

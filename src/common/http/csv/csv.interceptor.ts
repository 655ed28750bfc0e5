import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { csvOf, type Cell } from './csv.js';

const CSV = 'text/csv';

type RowsOf = (result: never) => readonly (readonly Cell[])[];

/** Answers with CSV when the caller prefers it to JSON. */
class CsvInterceptor implements NestInterceptor {
  constructor(private readonly rowsOf: RowsOf) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    response.vary('Accept');
    if (http.getRequest<Request>().accepts('application/json', CSV) !== CSV) return next.handle();
    return next.handle().pipe(
      map((result: unknown) => {
        response.type(CSV);
        return csvOf(this.rowsOf(result as never));
      }),
    );
  }
}

/** Describes an answer that is JSON or CSV, of a class that the controller names in `@ApiExtraModels`. */
export const asJsonOrCsv = (type: new () => object): object => ({
  description: 'As JSON, or as CSV with `Accept: text/csv`.',
  content: {
    'application/json': { schema: { $ref: getSchemaPath(type) } },
    'text/csv': { schema: { type: 'string' } },
  },
});

/** Lets a route also answer with CSV. @param rowsOf makes rows of the route's result */
export const AlsoAsCsv = (rowsOf: RowsOf): MethodDecorator => UseInterceptors(new CsvInterceptor(rowsOf));

import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
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

/** Lets a route also answer with CSV. @param rowsOf makes rows of the route's result */
export const AlsoAsCsv = (rowsOf: RowsOf): MethodDecorator => UseInterceptors(new CsvInterceptor(rowsOf));

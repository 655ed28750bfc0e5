import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { csvOf, type Cell } from './csv.js';

const CSV = 'text/csv';

/** Answers with CSV when the caller prefers it to JSON. */
class CsvInterceptor<Result> implements NestInterceptor<Result, Result | string> {
  constructor(private readonly rowsOf: (result: Result) => readonly (readonly Cell[])[]) {}

  intercept(context: ExecutionContext, next: CallHandler<Result>): Observable<Result | string> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    response.vary('Accept');
    if (http.getRequest<Request>().accepts('application/json', CSV) !== CSV) return next.handle();
    return next.handle().pipe(
      map((result) => {
        response.type(CSV);
        return csvOf(this.rowsOf(result));
      }),
    );
  }
}

/** Lets a route answer with CSV too, as the rows that a function makes of its result. */
export const AlsoAsCsv = <Result>(rowsOf: (result: Result) => readonly (readonly Cell[])[]): MethodDecorator =>
  UseInterceptors(new CsvInterceptor(rowsOf));

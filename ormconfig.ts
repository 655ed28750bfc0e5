import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/common/database/index.js';

/** For the TypeORM command line, which needs a server: `DATABASE_URL=… npm run typeorm -- schema:log`. */
export default new DataSource({
  ...dataSourceOptions(process.env['DATABASE_URL'] ?? '', 2),
  entities: ['src/**/*.entity.ts'],
});

import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TerminusModule } from '@nestjs/terminus';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobStore, makeBlobStore, TemporaryFiles } from './storage/index.js';
import { Clock } from './system/index.js';
import { Config } from './config/index.js';
import { dataSourceOptions, Standby, Transactions } from './database/index.js';
import { DiskProbe, HealthController, HealthService, Metrics } from './observability/index.js';
import { CountryResolver, IdempotentAnswerEntity, IdempotentAnswers, ProblemFilter, RouteTable } from './http/index.js';
import { connectRedis, RateLimits, REDIS } from './access/index.js';
import { WorkerThread } from './jobs/index.js';
import { KeyFingerprintEntity, KeyFingerprints, Sealer } from './sealing/index.js';

/** The values that the process starts with. */
export interface Runtime {
  readonly config: Config;
  readonly clock: Clock;
  /** Of the configured server, or of the embedded database. */
  readonly databaseUrl: string;
  /** Runs tasks in a thread of its own, unless another is given. */
  readonly thread?: WorkerThread;
}

/** Providers for every module: configuration, clock, database, encryption, blobs, limits, metrics. */
@Global()
@Module({})
export class CommonModule {
  static with({ config, clock, databaseUrl, thread = new WorkerThread(config) }: Runtime): DynamicModule {
    return {
      module: CommonModule,
      imports: [
        DiscoveryModule,
        TerminusModule.forRoot({ logger: false }),
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          ...dataSourceOptions(databaseUrl, config.databasePool),
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
        TypeOrmModule.forFeature([KeyFingerprintEntity, IdempotentAnswerEntity]),
      ],
      controllers: [HealthController],
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: WorkerThread, useValue: thread },
        { provide: BlobStore, useFactory: () => makeBlobStore(config) },
        TemporaryFiles,
        DiskProbe,
        HealthService,
        Transactions,
        Sealer,
        KeyFingerprints,
        IdempotentAnswers,
        { provide: REDIS, useFactory: () => connectRedis(config) },
        RateLimits,
        Metrics,
        Standby,
        RouteTable,
        ProblemFilter,
        CountryResolver,
      ],
      exports: [
        Config,
        Clock,
        BlobStore,
        TemporaryFiles,
        Transactions,
        Sealer,
        RateLimits,
        Metrics,
        Standby,
        RouteTable,
        ProblemFilter,
        CountryResolver,
        WorkerThread,
        HealthService,
        KeyFingerprints,
        IdempotentAnswers,
      ],
    };
  }
}

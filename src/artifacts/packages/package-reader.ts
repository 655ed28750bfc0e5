import { Injectable } from '@nestjs/common';
import { TaskTooCostly, WorkerThread, type ThreadTask } from '../../common/jobs/index.js';
import { InvalidPackage, InvalidPackageManifest, PackageTooCostly } from '../artifacts.problems.js';
import type * as tasks from '../package.tasks.js';

const FILE = new URL('../package.tasks.js', import.meta.url);
const READ_PACKAGE: ThreadTask<typeof tasks.readPackage> = { file: FILE, name: 'readPackage' };
const COMPARE_PACKAGES: ThreadTask<typeof tasks.comparePackages> = { file: FILE, name: 'comparePackages' };
const COMPARE_SERVED: ThreadTask<typeof tasks.compareServed> = { file: FILE, name: 'compareServed' };

type ReadPackage = Awaited<ReturnType<typeof tasks.readPackage>>;

/** Has the inside of packages read in the worker thread: this process never reads it. */
@Injectable()
export class PackageReader {
  constructor(private readonly thread: WorkerThread) {}

  /** @throws InvalidPackage, InvalidPackageManifest, PackageTooCostly */
  async read(path: string, mayBeApp: boolean): Promise<Exclude<ReadPackage, tasks.PackageFault>> {
    const read = await this.thread.run(READ_PACKAGE, { path, mayBeApp }).catch(asProblem);
    if (read.kind !== 'fault') return read;
    throw read.isOfManifest ? new InvalidPackageManifest(read.message) : new InvalidPackage(read.message);
  }

  /** @throws PackageTooCostly */
  compare(before: tasks.KeptPackage, after: tasks.KeptPackage): ReturnType<typeof tasks.comparePackages> {
    return this.thread.run(COMPARE_PACKAGES, { before, after }).catch(asProblem);
  }

  /** Compares a file that a store serves with the package that it was sent. A fault is the file's. */
  async compareServed(input: Parameters<typeof tasks.compareServed>[0]): ReturnType<typeof tasks.compareServed> {
    return this.thread.run(COMPARE_SERVED, input).catch((error: unknown) => {
      if (!(error instanceof TaskTooCostly)) throw error;
      return { kind: 'fault', isOfManifest: false, message: `Reading it takes more than ${error.limit}.` };
    });
  }
}

function asProblem(error: unknown): never {
  throw error instanceof TaskTooCostly ? new PackageTooCostly(error.limit) : error;
}

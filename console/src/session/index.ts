export {
  beginSession,
  logOut,
  resumeSession,
  SessionProvider,
  switchTenant,
  useSession,
  type Permission,
  type Session,
} from './session';

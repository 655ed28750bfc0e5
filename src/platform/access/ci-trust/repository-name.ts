/** An address in a browser or of a remote: its host, then its path. */
const ADDRESS = /^(?:(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/|git@([^/:]+):)(.*)$/;

/**
 * Reads the name of a repository out of its address, since people paste what the browser or `git remote` shows. Text that is no address is
 * returned as it is. Pure.
 */
export function repositoryName(text: string): string {
  const [, web, remote, path] = ADDRESS.exec(text.trim()) ?? [];
  if (path === undefined) return text;
  // GitLab has groups of any depth, and begins the pages of a project with `-`.
  const [project = ''] = (path.split(/[?#]/, 1)[0] ?? '').split('/-/');
  const parts = project.split('/').filter((part) => part !== '');
  const isGitHub = (web ?? remote) === 'github.com';
  return (isGitHub ? parts.slice(0, 2) : parts).join('/').replace(/\.git$/, '');
}

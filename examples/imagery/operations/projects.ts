/** Projects and their members. */
import type { Operation } from 'plimsoll/server';
import {
  archives,
  creates,
  deletes,
  ProblemError,
  provisions,
  revokes,
  sets,
  updates,
} from 'plimsoll/server';
import * as z from 'zod';
import { PROJECT_ROLES, REGIONS } from '../store/projects.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { found, foundProject, given } from './refuse.ts';
import { projectId, ProjectOut } from './schemas.ts';

const scopes = ['projects:write'];
const name = z.string().min(1).max(255).describe('Its name');
const description = z.string().max(2000).nullable().optional().describe('What it is for');
const userId = z.string().min(1).max(80).describe('Who, by user id');
const role = z.enum(PROJECT_ROLES);

const MemberOut = z.object({ project_id: z.string(), user_id: z.string(), role });

export function projectOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'projects.create',
      title: 'Create Project',
      description: 'Creates a project for imagery, orders and jobs.',
      input: z.object({
        name,
        description,
        gcs_region: z.enum(REGIONS).default(REGIONS[0]).describe('Where its files are stored'),
      }),
      output: ProjectOut,
      effect: creates('project', account),
      scopes,
      produces: ['project'],
      run: (input, caller) => store.projects.create(caller, input),
    }),

    declare(shop, {
      name: 'projects.update',
      title: 'Update Project',
      description: 'Changes the name or description of a project, or restores it from the archive.',
      input: z.object({
        project_id: projectId,
        name: name.optional(),
        description,
        is_archived: z.boolean().optional().describe('Whether it is archived'),
      }),
      output: ProjectOut,
      effect: updates('project', account),
      scopes,
      run: ({ project_id, ...changes }, caller) =>
        found(store.projects.update(caller, project_id, given(changes)), 'project', project_id),
    }),

    declare(shop, {
      name: 'projects.archive',
      title: 'Archive Project',
      description: 'Archives a project: nothing can be added to it until it is restored.',
      input: z.object({ project_id: projectId }),
      output: ProjectOut,
      effect: archives('project', account),
      scopes,
      run: ({ project_id }, caller) =>
        found(
          store.projects.update(caller, project_id, { is_archived: true }),
          'project',
          project_id,
        ),
    }),

    declare(shop, {
      name: 'projects.delete',
      title: 'Delete Project',
      description:
        'Permanently deletes a project with all its collections, items and links. Refused while orders or jobs are open.',
      input: z.object({ project_id: projectId }),
      output: z.object({
        deleted: z.boolean(),
        project_id: z.string(),
        storage_freed_bytes: z.int(),
      }),
      effect: deletes('project', account),
      scopes,
      run: ({ project_id }, caller) => {
        const removal = found(store.projects.delete(caller, project_id), 'project', project_id);
        if (removal.kind === 'busy') {
          const detail = `Project ${project_id} has ${removal.orders} open orders and ${removal.jobs} open jobs.`;
          throw new ProblemError('conflict', detail);
        }
        return { deleted: true, project_id, storage_freed_bytes: removal.bytes };
      },
    }),

    declare(shop, {
      name: 'projects.add_member',
      title: 'Add Project Member',
      description: 'Adds a member of the organisation to a project.',
      input: z.object({
        project_id: projectId,
        user_id: userId,
        role: role.default('editor').describe('What they may do; default: editor'),
      }),
      output: MemberOut,
      effect: provisions('membership', { ...account, repeat: 'end-state' }),
      scopes,
      run: (input, caller) => {
        const { project_id, user_id } = input;
        foundProject(store, caller.organisation, project_id);
        const isKnown = store.projects.isInOrganisation(caller.organisation, user_id);
        found(isKnown || undefined, 'user', user_id);
        if (store.projects.roleOf(project_id, user_id) !== undefined) {
          throw new ProblemError('conflict', `${user_id} is already a member.`);
        }
        store.projects.setMember(caller, project_id, user_id, input.role);
        return input;
      },
    }),

    declare(shop, {
      name: 'projects.update_member',
      title: 'Change Member Role',
      description: 'Changes the role of a project member.',
      input: z.object({
        project_id: projectId,
        user_id: userId,
        role: role.describe('What they may do from now on'),
      }),
      output: MemberOut,
      effect: sets('member role', account),
      scopes,
      run: (input, caller) => {
        const { project_id, user_id } = input;
        foundProject(store, caller.organisation, project_id);
        found(store.projects.roleOf(project_id, user_id), 'member', user_id);
        store.projects.setMember(caller, project_id, user_id, input.role);
        return input;
      },
    }),

    declare(shop, {
      name: 'projects.remove_member',
      title: 'Remove Project Member',
      description: 'Removes a member from a project; they can be added again.',
      input: z.object({ project_id: projectId, user_id: userId }),
      output: z.object({ ok: z.boolean() }),
      effect: revokes('membership', { ...account, reversible: true }),
      scopes,
      run: ({ project_id, user_id }, caller) => {
        foundProject(store, caller.organisation, project_id);
        const isRemoved = store.projects.removeMember(caller, project_id, user_id);
        return { ok: found(isRemoved || undefined, 'member', user_id) };
      },
    }),
  ];
}

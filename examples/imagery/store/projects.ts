/** Projects and their members. Field names are those of the public API, which publishes them as is. */
import type { Acting } from './acting.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';

export const REGIONS = [
  'australia-southeast1',
  'asia-southeast1',
  'us-west1',
  'europe-west1',
] as const;
export type Region = (typeof REGIONS)[number];

export const PROJECT_ROLES = ['viewer', 'editor', 'admin'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

export interface Project {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly gcs_region: Region;
  readonly is_archived: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ProjectChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly is_archived?: boolean | undefined;
}

export type ProjectRemoval =
  | { readonly kind: 'deleted'; readonly bytes: number }
  /** Credits are still set aside for work in it. */
  | { readonly kind: 'busy'; readonly orders: number; readonly jobs: number };

const COLUMNS =
  'id, organization_id, name, description, gcs_region, is_archived, created_at, updated_at';

export class Projects {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  find(organisation: string, id: string): Project | undefined {
    const row = this.#db.get(
      `SELECT ${COLUMNS} FROM projects WHERE id = :id AND organization_id = :organisation`,
      { id, organisation },
    );
    return row === undefined ? undefined : (fromRow(row, { flags: ['is_archived'] }) as Project);
  }

  create(
    acting: Acting,
    fields: {
      readonly id?: string;
      readonly name: string;
      readonly description?: string | null | undefined;
      readonly gcs_region?: Region | undefined;
    },
  ): Project {
    const at = acting.at.toISOString();
    const project: Project = Object.freeze({
      id: fields.id ?? newId('prj'),
      organization_id: acting.organisation,
      name: fields.name,
      description: fields.description ?? null,
      gcs_region: fields.gcs_region ?? REGIONS[0],
      is_archived: false,
      created_at: at,
      updated_at: at,
    });
    return this.#db.atomically(() => {
      this.#db.insert('projects', { ...project, is_archived: 0 });
      this.#events.record(acting, 'project.created', project.id);
      return project;
    });
  }

  update(acting: Acting, id: string, changes: ProjectChanges): Project | undefined {
    return this.#db.atomically(() => {
      const before = this.find(acting.organisation, id);
      if (before === undefined) return undefined;
      const { name = before.name, description = before.description } = changes;
      const archived = changes.is_archived ?? before.is_archived;
      this.#db.run(
        `UPDATE projects SET name = :name, description = :description, is_archived = :archived,
           updated_at = :at WHERE id = :id`,
        { id, name, description, archived: archived ? 1 : 0, at: acting.at.toISOString() },
      );
      this.#events.record(acting, 'project.updated', id);
      return this.find(acting.organisation, id);
    });
  }

  /** With its collections, items and links. Orders and jobs are kept, without their project. */
  delete(acting: Acting, id: string): ProjectRemoval | undefined {
    return this.#db.atomically(() => {
      if (this.find(acting.organisation, id) === undefined) return undefined;
      const orders = this.#count(`orders WHERE status = 'placed' AND project_id = :id`, id);
      const jobs = this.#count(`jobs WHERE finished_at IS NULL AND project_id = :id`, id);
      if (orders + jobs > 0) return Object.freeze({ kind: 'busy', orders, jobs });
      const stored = this.#db.get(
        `SELECT coalesce(sum(a.bytes), 0) AS bytes FROM assets a JOIN items i ON i.id = a.item_id
         WHERE i.project_id = :id`,
        { id },
      );
      this.#db.run('DELETE FROM projects WHERE id = :id', { id });
      this.#events.record(acting, 'project.deleted', id);
      return Object.freeze({ kind: 'deleted', bytes: Number(stored?.['bytes']) });
    });
  }

  isInOrganisation(organisation: string, user: string): boolean {
    const row = this.#db.get(
      'SELECT 1 FROM members WHERE organisation_id = :organisation AND user_id = :user',
      { organisation, user },
    );
    return row !== undefined;
  }

  /** `undefined` for a user who was never added, such as the holder of an API key. */
  roleOf(projectId: string, user: string): ProjectRole | undefined {
    const row = this.#db.get(
      'SELECT role FROM project_members WHERE project_id = :projectId AND user_id = :user',
      { projectId, user },
    );
    return row?.['role'] as ProjectRole | undefined;
  }

  /** Adds a member, or changes their role. */
  setMember(acting: Acting, projectId: string, user: string, role: ProjectRole): void {
    this.#db.atomically(() => {
      this.#db.run(
        `INSERT INTO project_members (organization_id, project_id, user_id, role)
         VALUES (:organisation, :projectId, :user, :role)
         ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role`,
        { organisation: acting.organisation, projectId, user, role },
      );
      this.#events.record(acting, 'project.member_set', `${projectId} ${user} ${role}`);
    });
  }

  removeMember(acting: Acting, projectId: string, user: string): boolean {
    return this.#db.atomically(() => {
      const { changes } = this.#db.run(
        'DELETE FROM project_members WHERE project_id = :projectId AND user_id = :user',
        { projectId, user },
      );
      if (changes === 0) return false;
      this.#events.record(acting, 'project.member_removed', `${projectId} ${user}`);
      return true;
    });
  }

  #count(where: string, id: string): number {
    return Number(this.#db.get(`SELECT count(*) AS n FROM ${where}`, { id })?.['n']);
  }
}

// What Postgres really did for the statements of some work: the plans it ran, as `auto_explain` tells them.
import { closeDatabase, type Db, getPageDatabase, openDatabase } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'

export interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Plans made once for every value, as after the fifth call of a statement, or made for the values at hand, as before. */
export const PLAN_MODES = ['force_generic_plan', 'force_custom_plan'] as const
export type PlanMode = (typeof PLAN_MODES)[number]

export interface Recorder {
  readonly db: Db
  /** Does the work and gives the nodes of all plans that were run for it. */
  nodesOf(work: () => Promise<unknown>): Promise<PlanNode[]>
  end(): Promise<void>
}

/** A database client with one connection that tells its plans; statements that choose their own way of planning keep it. */
export function createRecorder(url: string, mode: PlanMode): Recorder {
  let plans: PlanNode[] = []
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    plan_cache_mode: mode,
  }
  const db = openDatabase(url, {
    max: 1,
    connection: settings,
    onnotice({ message = '' }) {
      const at = message.indexOf('{')
      if (message.includes('plan:') && at > 0) plans.push(JSON.parse(message.slice(at)).Plan)
    },
  })
  return {
    db,
    async nodesOf(work) {
      // What the driver asks when it connects is none of the work.
      await Promise.all([db, getPageDatabase(db)].map(each => getSql(each)`select 1`))
      plans = []
      await work()
      return plans.flatMap(listPlanNodes)
    },
    end: () => closeDatabase(db),
  }
}

/** A node and everything below it. */
export function listPlanNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listPlanNodes)]
}

/** Rows a node looked at, those it threw away too. */
export function countRowsRead(node: PlanNode): number {
  return ((node['Actual Rows'] ?? 0) + countRowsDiscarded(node)) * (node['Actual Loops'] ?? 0)
}

/** Rows a node looked at only to throw them away, in each of its loops. */
export function countRowsDiscarded(node: PlanNode): number {
  return (
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  )
}

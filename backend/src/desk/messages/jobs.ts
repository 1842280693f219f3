import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { renameMembers } from './rename-members.ts'

export function messageJobs({ db }: Parts): JobKind[] {
  // Triggers ask for it, whoever gives a contact its name.
  return [{ kind: 'rename-members', crew: 'patient', work: payload => renameMembers(db, readAddresses(payload)) }]
}

function readAddresses(payload: unknown): string[] {
  const list = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'addresses') : undefined
  return Array.isArray(list) ? list.map(String) : []
}

// The fields of a connection that are its kind's own: kept together, secrets sealed, opened for the driver alone.
import { KIND_TABLE, type Kind, type KindConfig } from '@balcao/contract'
import { seal, unsealed } from '../seal.ts'
import type { Form } from './form.ts'

/** What a form says of them, as it is kept. Left out, or an empty secret: what is kept stays. */
export function sealedConfig(dataKey: string, kind: Kind, form: Form): KindConfig {
  const given = KIND_TABLE[kind].fields.flatMap(({ name, type }) => {
    const value = form[name]
    const said = typeof value === 'string' ? value.trim() : value
    if (said === undefined || (type === 'secret' && said === '')) return []
    return [[name, type === 'secret' ? seal(dataKey, String(said)) : said] as const]
  })
  return Object.fromEntries(given)
}

/** With the secrets opened; `unreadable`: there is one that was sealed with another key, and it is left out. */
export function openedConfig(dataKey: string, kind: Kind, kept: KindConfig) {
  const secrets = KIND_TABLE[kind].fields.filter(field => field.type === 'secret' && kept[field.name] !== undefined)
  const opened = secrets.map(({ name }) => [name, unsealed(dataKey, String(kept[name])) ?? undefined] as const)
  return {
    config: { ...kept, ...Object.fromEntries(opened) },
    unreadable: opened.some(([, secret]) => secret === undefined),
  }
}

/** Whether a driver would do otherwise with what a form says: then its session begins afresh. */
export function changesDriver(kind: Kind, kept: KindConfig, said: KindConfig): boolean {
  return KIND_TABLE[kind].fields.some(
    ({ name, type }) => type !== 'switch' && said[name] !== undefined && said[name] !== (kept[name] ?? ''),
  )
}

// A desk that takes people from a sheet.
import type { ResponseBody } from '@balcao/contract'
import * as XLSX from 'xlsx'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue } from './desk-world.ts'

export type Imported = ResponseBody<'POST /users/import/:userId'>

export const HEADS = ['nome', 'email', 'senha', 'perfil', 'filas', 'ativo', 'inicio', 'fim']

export function makeWorksheet(rows: readonly (readonly unknown[])[]): XLSX.WorkSheet {
  return XLSX.utils.aoa_to_sheet(rows.map(row => [...row]))
}

export function sheet(rows: readonly (readonly string[])[], name = 'gente.xlsx'): File {
  const bytes: Uint8Array<ArrayBuffer> = XLSX.write(XLSX.utils.book_new(makeWorksheet(rows), 'A'), { type: 'buffer' })
  return new File([bytes], name)
}

export function sendAs<T>(
  person: SignedInPerson,
  file: File,
  query = '',
  fields: Readonly<Record<string, string>> = {},
) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('medias', file)
  return person.call<T>('POST', `/users/import/1${query}`, data)
}

export const send = sendAs<Imported>

export async function startUsersSheetDesk() {
  const server = await startDeskServer()
  const { db, url, config } = server
  const queues = { sales: await makeQueue(db, 'Vendas São Paulo'), finance: await makeQueue(db, 'Financeiro') }
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makePerson(db, { name: 'Rafael', profile: 'gerente' })
  const marina = await server.as('Marina')
  const rafael = await server.as('Rafael')

  return { server, db, url, config, queues, marina, rafael }
}

// What is new: a Markdown file of the operator's, one section for each version, newest first (spec 1 §2).
import { readFile, stat } from 'node:fs/promises'
import type { ResponseBody } from '@balcao/contract'

type Notes = ResponseBody<'GET /notes'>['notes']

let known: { readonly path: string; readonly mtime: number; readonly notes: Notes } | undefined

/** The notes as the file holds them now; none without a file. */
export async function readNotes(path: string | null): Promise<ResponseBody<'GET /notes'>> {
  const mtime = path === null ? undefined : (await stat(path).catch(() => null))?.mtimeMs
  if (path === null || mtime === undefined) return { notes: [], count: 0 }
  if (known?.path !== path || known.mtime !== mtime)
    known = { path, mtime, notes: parseNotes(await readFile(path, 'utf8')) }
  return { notes: known.notes, count: known.notes.length }
}

/**
 * The sections of a Markdown text; what stands before the first heading belongs to none.
 * @example parseNotes('## 7.2\n- Mais rápido') // [{ title: '7.2', body: '- Mais rápido' }]
 */
export function parseNotes(markdown: string): Notes {
  return markdown
    .split(/^## +/m)
    .slice(1)
    .map(section => {
      const [title = '', ...lines] = section.split('\n')
      return { title: title.trim(), body: lines.join('\n').trim() }
    })
}

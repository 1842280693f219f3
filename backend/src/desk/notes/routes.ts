import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { readNotes } from './notes.ts'

export function noteRoutes({ config }: Parts): Route[] {
  return [serve('GET /notes', () => readNotes(config.notesFile))]
}

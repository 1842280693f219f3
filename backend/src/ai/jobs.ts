import type { Parts } from '../parts.ts'
import type { JobKind } from '../worker/kind.ts'
import { TRANSCRIBE, transcriptionTask } from './transcription.ts'

export function aiJobs(parts: Parts): JobKind[] {
  return [{ kind: TRANSCRIBE, crew: 'patient', work: transcriptionTask(parts) }]
}

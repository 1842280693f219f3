// How our programs say why they cannot begin.
import { ConfigError } from './config-error.ts'
import { DatabaseMissingError } from './database/folder.ts'

/** What is wrong outside of the program, in sentences for whoever runs it; null: something else went wrong, and its trace is wanted. */
export function explainStartFailure(error: unknown): string | null {
  return error instanceof ConfigError || error instanceof DatabaseMissingError ? error.message : null
}

/** Begins; says what keeps it from that and ends the process with 1: in a trace nobody would find the sentence. Throws what has none. */
export async function exitWithMessage<T>(begin: () => Promise<T> | T): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    const why = explainStartFailure(error)
    if (why === null) throw error
    console.error(why)
    process.exit(1)
  }
}

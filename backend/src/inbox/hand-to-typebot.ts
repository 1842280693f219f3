// Where the words of a customer leave the inbox for the connection's Typebot (decisions-2 §10).
import type { Placed, Receiving } from './receiving.ts'

/**
 * Hands a customer's words to the flow of the connection, which answers later, by a job: never inside the inbox's transaction. Until
 * somebody carries that out a ticket is not given to a bot that says nothing: it stays with people.
 */
export async function handToTypebot(_receiving: Receiving, _placed: Placed): Promise<void> {}

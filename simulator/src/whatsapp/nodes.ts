/** Small helpers to build and read the binary nodes of the protocol. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import {
  encodeBigEndian,
  getBinaryNodeChild,
  getBinaryNodeChildBuffer,
  getBinaryNodeChildren,
} from '@whiskeysockets/baileys'

export type NodeContent = BinaryNode['content']
export const SERVER = '@s.whatsapp.net'

export function createNode(
  tag: string,
  attrs: Record<string, string | undefined> = {},
  content?: NodeContent,
): BinaryNode {
  const attributes: Record<string, string> = {}
  for (const [name, value] of Object.entries(attrs)) if (value !== undefined) attributes[name] = value
  return content === undefined ? { tag, attrs: attributes } : { tag, attrs: attributes, content }
}

export function findChild(of: BinaryNode | undefined, tag: string): BinaryNode | undefined {
  return getBinaryNodeChild(of, tag)
}

export function listChildren(of: BinaryNode | undefined, tag: string): BinaryNode[] {
  return getBinaryNodeChildren(of, tag)
}

/** The bytes inside a child; throws when the client left them out. */
export function readBytes(of: BinaryNode | undefined, tag: string): Buffer {
  const found = getBinaryNodeChildBuffer(of, tag)
  if (!found) throw new Error(`<${of?.tag}> has no <${tag}>`)
  return Buffer.from(found)
}

/** The children whatever their tag; a text or byte content has none. */
export function listElements(of: BinaryNode | undefined): BinaryNode[] {
  return Array.isArray(of?.content) ? of.content : []
}

export function readText(of: BinaryNode | undefined): string {
  if (!of || of.content === undefined || Array.isArray(of.content)) return ''
  return typeof of.content === 'string' ? of.content : Buffer.from(of.content).toString('utf8')
}

export function encodeInteger(value: number, length = 4): Uint8Array {
  return encodeBigEndian(value, length)
}

export function readBigEndian(of: Uint8Array): number {
  let value = 0
  for (const byte of of) value = value * 256 + byte
  return value
}

export function toSeconds(at: Date = new Date()): string {
  return String(Math.floor(at.getTime() / 1000))
}

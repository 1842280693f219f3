// What the files of a backup add up to, made alike by who writes and who reads.
import { createHash } from 'node:crypto'
import type { Manifest, MemberName, Sum } from './format.ts'

type FileName = Extract<MemberName, { id: string }>

export function filesSum() {
  const hash = createHash('sha256')
  let [count, bytes] = [0, 0]
  return {
    add({ kind, id }: FileName, sum: Sum): void {
      hash.update(`${kind} ${id} ${sum.sha256}\n`)
      if (kind !== 'file') return
      count++
      bytes += sum.bytes
    },
    result: (): Pick<Manifest['files'], 'count' | 'bytes' | 'sha256'> => ({ count, bytes, sha256: hash.digest('hex') }),
  }
}

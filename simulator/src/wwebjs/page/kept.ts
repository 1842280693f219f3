/** The key of the link, kept in the browser's profile as the real page keeps its keys. */

const STORE = 'link'

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('stand-in', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function runTransaction<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode, { durability: 'strict' })
    const request = work(transaction.objectStore(STORE))
    transaction.oncomplete = () => {
      database.close()
      resolve(request.result)
    }
    transaction.onerror = () => reject(transaction.error)
  })
}

export async function readKey(): Promise<string | null> {
  const key: unknown = await runTransaction('readonly', store => store.get('key'))
  return typeof key === 'string' ? key : null
}

export async function keepKey(key: string): Promise<void> {
  await runTransaction('readwrite', store => store.put(key, 'key'))
}

export async function forgetKey(): Promise<void> {
  await runTransaction('readwrite', store => store.delete('key'))
}

const MB = 1024 * 1024

/** A form with one file of so many megabytes, made while it is sent. */
export function createFilmForm(megabytes: number): ReadableStream<Uint8Array> {
  const words = new TextEncoder()
  const head = 'Content-Disposition: form-data; name="medias"; filename="filme.bin"\r\nContent-Type: video/mp4\r\n\r\n'
  const chunk = new Uint8Array(MB).fill(1)
  let left = megabytes
  return new ReadableStream({
    start: to => to.enqueue(words.encode(`--fim\r\n${head}`)),
    pull(to) {
      if (left-- > 0) return to.enqueue(chunk)
      to.enqueue(words.encode('\r\n--fim--\r\n'))
      to.close()
    },
  })
}

// Agents' sockets: opened with a token, greeted, and handing every frame over as text.

export interface AgentSocket {
  /** Called with every frame after the welcome. */
  heard: (frame: string) => void
  close(): void
}

/** Opens one socket and resolves when the server has welcomed it. */
export function openSocket(
  serverUrl: string,
  token: string,
  closed: (socket: AgentSocket) => void = () => {},
): Promise<AgentSocket> {
  return new Promise((done, fail) => {
    const socket = new WebSocket(`${serverUrl.replace(/^http/, 'ws')}/socket?token=${encodeURIComponent(token)}`)
    const agent: AgentSocket = { heard: () => {}, close: () => socket.close() }
    let welcomed = false
    socket.onopen = () => socket.send('{"type":"hello","cursor":null}')
    socket.onmessage = ({ data }) => {
      const text = String(data)
      if (welcomed) agent.heard(text)
      else if (text.startsWith('{"type":"welcome"')) {
        welcomed = true
        done(agent)
      }
    }
    socket.onclose = ({ code, reason }) => {
      if (!welcomed) fail(new Error(`A socket was closed before its welcome: ${code} ${reason}`))
      else closed(agent)
    }
    socket.onerror = () => {}
  })
}

const AT_ONCE = 50

/** Opens many, some at a time, so that the server is not measured while it lets a crowd in; `closed`: one that was in is gone. */
export async function openSockets(
  serverUrl: string,
  tokens: readonly string[],
  { closed = () => {} }: { readonly closed?: (socket: AgentSocket, at: number) => void } = {},
): Promise<AgentSocket[]> {
  const opened: AgentSocket[] = []
  for (let from = 0; from < tokens.length; from += AT_ONCE) {
    const some = tokens.slice(from, from + AT_ONCE)
    opened.push(
      ...(await Promise.all(some.map((token, n) => openSocket(serverUrl, token, socket => closed(socket, from + n))))),
    )
  }
  return opened
}

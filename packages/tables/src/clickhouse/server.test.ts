import { createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { parseAddress } from './address.js'
import { patience, Server } from './server.js'

const usual = patience.first
afterEach(() => {
  patience.first = usual
})

it('a port that takes the first question and says nothing is an error, not a wait for a day', async () => {
  const open: Socket[] = []
  const silent = createServer((socket) => open.push(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  patience.first = 300
  const server = new Server(parseAddress(`clickhouse://reader@127.0.0.1:${port}/default`))
  await expect(server.ask('SELECT 1')).rejects.toThrow(
    /a server must answer its first question within 0.3 seconds, got nothing; is it a ClickHouse server/,
  )
  for (const socket of open) socket.destroy()
  await server.close()
  silent.close()
})

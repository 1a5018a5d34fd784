defmodule GardenWeb.Endpoint do
  use Phoenix.Endpoint, otp_app: :garden

  plug :hello
  defp hello(conn, _), do: Plug.Conn.send_resp(conn, 200, "Hello from Phoenix")
end

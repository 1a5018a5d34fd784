defmodule Garden.MixProject do
  use Mix.Project

  def project do
    [app: :garden, version: "0.1.0", elixir: "~> 1.17", deps: deps(), aliases: aliases()]
  end

  def application, do: [mod: {Garden.Application, []}, extra_applications: [:logger]]

  defp deps do
    [
      {:phoenix, "~> 1.8.1"},
      {:bandit, "~> 1.8"}
    ]
  end

  defp aliases, do: ["assets.deploy": ["phx.digest"]]
end

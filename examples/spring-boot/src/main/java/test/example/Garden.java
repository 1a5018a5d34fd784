package test.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@SpringBootApplication
public class Garden {
  @GetMapping("/")
  String greet() {
    return "Hello from Spring Boot";
  }

  public static void main(String[] arguments) {
    SpringApplication.run(Garden.class, arguments);
  }
}
